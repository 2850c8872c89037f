// A stand-in for a chat API: an HTTP server that answers chat completions from a script, and records the requests.
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Test } from 'tap';

/** What the model says in one reply. */
export interface ScriptedReply {
  readonly note: string;
  readonly calls: readonly (readonly [tool: string, input: object])[];
}

export interface Asked {
  readonly authorization: string;
  readonly body: {
    readonly model: string;
    readonly messages: readonly Message[];
    readonly tools: readonly { readonly type: string; readonly function: { readonly name: string } }[];
  };
  /** Characters of the whole request, and of its reply. */
  readonly length: number;
  readonly replyLength: number;
}

/** A message of a conversation. */
interface Message {
  readonly role: string;
  readonly content: string;
}

export class ChatStandIn {
  readonly asked: Asked[] = [];

  private constructor(readonly url: string) {}

  /** @param script one reply for each request; further requests get 500 */
  static async start(t: Test, script: readonly ScriptedReply[]): Promise<ChatStandIn> {
    let standIn: ChatStandIn | undefined;
    const server = createServer(async (request, response) => {
      const text = await textOf(request);
      const reply = script[standIn?.asked.length ?? script.length];
      if (request.method !== 'POST' || reply === undefined) {
        response.writeHead(500).end('the script is over');
        return;
      }
      const answer = completionOf(reply);
      const { authorization = '' } = request.headers;
      standIn?.asked.push({ authorization, body: JSON.parse(text), length: text.length, replyLength: answer.length });
      response.writeHead(200, { 'content-type': 'application/json' }).end(answer);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    t.teardown(() => server.close());
    standIn = new ChatStandIn(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/chat/completions`);
    return standIn;
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const piece of request.setEncoding('utf8')) text += piece;
  return text;
}

function completionOf({ note, calls }: ScriptedReply): string {
  const toolCalls = calls.map(([name, input], index) => ({
    id: `call_${index + 1}`,
    type: 'function',
    function: { name, arguments: JSON.stringify(input) },
  }));
  const message = { role: 'assistant', content: note, tool_calls: toolCalls };
  const choice = { index: 0, message, finish_reason: 'tool_calls' };
  return JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion', model: 'scripted', choices: [choice] });
}
