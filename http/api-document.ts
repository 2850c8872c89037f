// docs/api.md, made from the route table. A command writes it and a test compares it, so that it cannot fall behind.
import { PROBLEMS, type ProblemRule } from './problems.js';
import { type Access, errorsOf, type Route, type Tag } from './route.js';
import { ROUTES } from './routes/table.js';

/** The text of docs/api.md. */
export function apiDocument(): string {
  const tags = [...new Set(ROUTES.map(({ tag }) => tag))];
  return `${[HEAD, overview(), ...tags.map(chapter), errorTable()].join('\n\n')}\n`;
}

const HEAD = `# The HTTP interface

Made from the route table (\`http/routes/\`) by \`npm run documents\`; do not edit by hand. The same table gives
\`/openapi.json\`.

- Bodies are JSON in UTF-8, \`application/json\`, at most 64 KiB. Unknown fields and query parameters are refused.
- Every reply carries \`x-request-id\` and \`x-world-time\`. HEAD works wherever GET does.
- Reads marked *ETag* answer \`If-None-Match\` with 304 while nothing changed but the passing of time.
- A reply to a command, and a read of something just changed, comes when it is on disk.
- Errors have one shape, \`application/problem+json\`; decide by \`code\`.
- Do not pipeline commands: send the next one when the reply to the last is there. Reads can be pipelined.`;

const CHAPTERS: Readonly<Record<Tag, string>> = {
  game: 'Players, planets and the galaxy',
  fleet: 'Fleets',
  building: 'Buildings',
  shipyard: 'Shipyard',
  research: 'Research',
  world: 'The world',
  service: 'Service',
  administration: 'Administration',
};

const ACCESS: Readonly<Record<Access, string>> = {
  public: 'Anybody.',
  player: 'Anybody; with `--auth key` the player by its key, for what is its own.',
  development: 'Anybody; with `--auth key` only with the admin key.',
  admin: 'With the admin key; without one configured the path does not exist.',
};

function overview(): string {
  const rows = ROUTES.map(
    ({ method, path, summary, operationId }) =>
      `| ${method} | [\`${path}\`](#${operationId.toLowerCase()}) | ${summary} |`,
  );
  return ['| method | path | |', '|---|---|---|', ...rows].join('\n');
}

function chapter(tag: Tag): string {
  return [`## ${CHAPTERS[tag]}`, ...ROUTES.filter((route) => route.tag === tag).map(section)].join('\n\n');
}

function section(route: Route): string {
  const { operationId, method, path, summary, description, access, body, replies, isTagged } = route;
  const parts = [
    `### ${operationId}`,
    `\`${method} ${path}\`${isTagged ? ' · *ETag*' : ''}`,
    description === undefined ? summary : `${summary} ${description}`,
    `Who may ask: ${ACCESS[access]}`,
  ];
  if (body !== null)
    parts.push(`Body${body.isOptional === true ? ' (may be left out)' : ''}:`, jsonBlock(body.example));
  for (const reply of replies) parts.push(`${reply.status}: ${reply.description}`, ...exampleOf(reply.example));
  parts.push(
    `Errors: ${errorsOf(route)
      .map((code) => `\`${code}\``)
      .join(', ')}`,
  );
  return parts.join('\n\n');
}

/** Lines of an example that are shown; a longer one can be had from the server. */
const EXAMPLE_LINES_MAX = 60;

function exampleOf(example: unknown): string[] {
  const block = jsonBlock(example);
  return block.split('\n').length > EXAMPLE_LINES_MAX ? [] : [block];
}

function jsonBlock(value: unknown): string {
  return `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``;
}

function errorTable(): string {
  const rows = [...PROBLEMS].map(
    ([code, { status, title }]: [string, ProblemRule]) => `| ${status} | \`${code}\` | ${title} |`,
  );
  return ['## Errors', ['| status | code | |', '|---|---|---|', ...rows].join('\n')].join('\n\n');
}
