// What the echo server answers: the replies of the server under test to one call of each kind.
import { BenchFailed } from '../bench-failed.js';
import type { EchoTask } from '../servers/peers.js';
import { beginFrame, CALL_MIXES, type CallMixName, FIRST_CALL_ID, undoFrame } from './call-mixes.js';
import { WebSocketConnection } from './websocket-connection.js';

const ID = String(FIRST_CALL_ID);

/**
 * Begins something on a planet and undoes it.
 *
 * @param url of the server under test
 * @throws BenchFailed if a call is refused
 */
export async function echoTask(url: string, name: CallMixName, planetId: string): Promise<EchoTask> {
  const mix = CALL_MIXES[name];
  const begin = beginFrame(mix, FIRST_CALL_ID, planetId);
  const begun = await ask(url, begin);
  const undone = await ask(url, undoFrame(mix, FIRST_CALL_ID, planetId, /"queueId":"([^"]+)"/.exec(begun)?.[1] ?? ''));
  const request = begin.subarray(begin.indexOf('{')).toString();
  // The paths of a mix differ in one place: the first letter after their last slash.
  const markAt = request.indexOf(mix.beginPath) + mix.beginPath.lastIndexOf('/') + 1;
  const mark = (path: string) => path.charAt(path.lastIndexOf('/') + 1);
  return {
    idAt: request.indexOf(ID),
    replyIdAt: begun.indexOf(ID),
    idLength: ID.length,
    markAt,
    replies: [
      { mark: mark(mix.beginPath), reply: begun },
      { mark: mark(mix.undoPath), reply: undone },
    ],
  };
}

/** @returns the text of the reply to a call */
async function ask(url: string, frame: Buffer): Promise<string> {
  const text = await new Promise<string>((resolve, reject) => {
    const connection = new WebSocketConnection(url, {
      onFrame: (_opcode, bytes, start, end) => {
        const received = bytes.toString('utf8', start, end);
        if (received.startsWith('{"op":"welcome"')) return;
        resolve(received);
        connection.close();
      },
      onClose: (reason) => reject(new BenchFailed(`a call failed: ${reason}`)),
    });
    connection.ready.then(() => connection.write(frame), reject);
  });
  const { op, status } = JSON.parse(text) as { op: string; status: number };
  if (op !== 'reply' || status < 200 || status > 299) throw new BenchFailed(`a call was answered with ${text}`);
  return text;
}
