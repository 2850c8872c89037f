// A host of a language model, with the SDK's own client: it starts `galaxyd mcp` as a process and calls its tools.
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { Test } from 'tap';

const PROGRAM = fileURLToPath(new URL('../../cli/main.js', import.meta.url));

export interface ToolAnswer {
  readonly text: string;
  readonly isError: boolean;
}

export interface HostOptions {
  readonly url: string;
  readonly playerId: string;
  /** Besides --server and --player. */
  readonly args?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** The compiled program of the repository by default. */
  readonly program?: string;
}

export class McpHost {
  /** What the process wrote to standard error. */
  log = '';

  private constructor(readonly client: Client) {}

  /** Starts the process; it ends with the test. */
  static async start(
    t: Test,
    { url, playerId, args = [], environment = {}, program = PROGRAM }: HostOptions,
  ): Promise<McpHost> {
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [program, 'mcp', '--server', url, '--player', playerId, ...args],
      env: environment,
      stderr: 'pipe',
    });
    const host = new McpHost(new Client({ name: 'test', version: '1.0.0' }));
    transport.stderr?.on('data', (bytes: Buffer) => {
      host.log += bytes;
    });
    t.teardown(() => host.client.close());
    await host.client.connect(transport);
    return host;
  }

  async call(name: string, input: Readonly<Record<string, unknown>> = {}): Promise<ToolAnswer> {
    const { content, isError = false } = await this.client.callTool({ name, arguments: { ...input } });
    const [first] = content;
    if (content.length !== 1 || first?.type !== 'text') throw new Error(`${name} answered ${JSON.stringify(content)}`);
    return { text: first.text, isError };
  }
}
