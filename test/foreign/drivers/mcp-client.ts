// The client of the SDK 1.x of the Model Context Protocol, with a `galaxyd mcp` that it starts.
import { imported } from './imported.js';

interface ClientModule {
  readonly Client: new (info: { readonly name: string; readonly version: string }) => Client;
}

interface Client {
  readonly connect: (transport: object) => Promise<void>;
  readonly listTools: () => Promise<{ readonly tools: readonly { readonly name: string }[] }>;
  readonly callTool: (call: { readonly name: string; readonly arguments: object }) => Promise<ToolAnswer>;
  readonly close: () => Promise<void>;
}

interface ToolAnswer {
  readonly isError?: boolean;
  readonly content: readonly { readonly text?: string }[];
}

interface StdioModule {
  readonly StdioClientTransport: new (options: {
    readonly command: string;
    readonly args: readonly string[];
  }) => object;
}

const [folder = '', program = '', url = '', playerId = '', planetId = ''] = process.argv.slice(2);
const { Client } = await imported<ClientModule>(folder, '@modelcontextprotocol/sdk/client/index.js');
const { StdioClientTransport } = await imported<StdioModule>(folder, '@modelcontextprotocol/sdk/client/stdio.js');

const ARGUMENTS: Readonly<Record<string, object>> = { look: { planetId }, options: { planetId } };
const client = new Client({ name: 'foreign', version: '1.0.0' });
const args = [program, 'mcp', '--server', url, '--player', playerId];
await client.connect(new StdioClientTransport({ command: process.execPath, args }));
const { tools } = await client.listTools();
for (const name of ['look', 'brief', 'leaderboard', 'options']) {
  const { isError, content } = await client.callTool({ name, arguments: ARGUMENTS[name] ?? {} });
  const text = content[0]?.text ?? '';
  if (isError === true || text === '') throw new Error(`${name}: ${text}`);
}
await client.close();
console.log(`${tools.length} tools`);
