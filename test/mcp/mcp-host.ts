// A host of a language model, with the SDK's own client: it calls the tools of this process, or of a `galaxyd mcp` that it starts.
import { fileURLToPath } from 'node:url';
import { Client, InMemoryTransport, type Transport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { Test } from 'tap';
import { VERSION } from '../../http/version.js';
import { toolServers } from '../../mcp/server.js';

const PROGRAM = fileURLToPath(new URL('../../cli/main.js', import.meta.url));

export interface ToolAnswer {
  readonly text: string;
  readonly isError: boolean;
}

interface HostOptions {
  readonly url: string;
  readonly playerId: string;
}

interface ProcessOptions extends HostOptions {
  /** Besides --server and --player. */
  readonly args?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** The compiled program of the repository by default. */
  readonly program?: string;
}

export class McpHost {
  readonly client = new Client({ name: 'test', version: '1.0.0' });
  /** What the process wrote to standard error. */
  log = '';

  /** Serves the tools in this process; they end with the test. @param apiKey of the player, if the world needs one */
  static async start(
    t: Test,
    { url, playerId, apiKey = null }: HostOptions & { readonly apiKey?: string | null },
  ): Promise<McpHost> {
    const [ours, theirs] = InMemoryTransport.createLinkedPair();
    await toolServers({ serverUrl: url, playerId, apiKey, version: VERSION })().connect(theirs);
    return await new McpHost().#connected(t, ours);
  }

  /** Starts the process; it ends with the test. */
  static async spawn(
    t: Test,
    { url, playerId, args = [], environment = {}, program = PROGRAM }: ProcessOptions,
  ): Promise<McpHost> {
    const host = new McpHost();
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [program, 'mcp', '--server', url, '--player', playerId, ...args],
      env: environment,
      stderr: 'pipe',
    });
    transport.stderr?.on('data', (bytes: Buffer) => {
      host.log += bytes;
    });
    return await host.#connected(t, transport);
  }

  async #connected(t: Test, transport: Transport): Promise<this> {
    t.teardown(() => this.client.close());
    await this.client.connect(transport);
    return this;
  }

  async call(name: string, input: Readonly<Record<string, unknown>> = {}): Promise<ToolAnswer> {
    const { content, isError = false } = await this.client.callTool({ name, arguments: { ...input } });
    const [first] = content;
    if (content.length !== 1 || first?.type !== 'text') throw new Error(`${name} answered ${JSON.stringify(content)}`);
    return { text: first.text, isError };
  }
}
