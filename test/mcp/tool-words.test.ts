// Answers to a language model name its tools, and no paths of the API.
import t from 'tap';
import { PROBLEMS } from '../../http/exchange/problems.js';
import { inToolWords } from '../../mcp/tool-words.js';
import { begin } from '../http/support/serving.js';
import { SPOKEN_RULES } from '../support/spoken-rules.js';
import { McpHost } from './mcp-host.js';

interface Shape {
  readonly properties?: Readonly<
    Record<string, Shape & { readonly const?: string; readonly enum?: readonly string[] }>
  >;
  readonly items?: Shape;
  readonly oneOf?: readonly Shape[];
}

t.test('what each remedy names is a tool with arguments that it takes', async (t) => {
  const { server, play } = await begin(t);
  const { id } = await play.newcomer('Ada');
  const host = await McpHost.start(t, { url: server.url, playerId: id });
  const { tools } = await host.client.listTools();
  const inputOf = (name: string): Shape => (tools.find((tool) => tool.name === name)?.inputSchema ?? {}) as Shape;
  const actions = inputOf('act').properties?.['actions']?.items?.oneOf ?? [];
  const actionOf = (name: string | undefined): Shape | undefined =>
    actions.find(({ properties }) => {
      const { const: one, enum: several = [] } = properties?.['action'] ?? {};
      return [one, ...several].includes(name);
    });
  let count = 0;
  for (const [code, { remedy, title }] of PROBLEMS) {
    const text = inToolWords(`${title} ${remedy}`);
    t.notMatch(text, /(GET|POST|PUT) \//, code);
    for (const [, name = '', given = ''] of text.matchAll(/(\w+) \{([^}]*)\}/g)) {
      const [first = '', ...rest] = given.split(', ').filter((argument) => argument !== '');
      const [, action] = /^action: (\w+)$/.exec(first) ?? [];
      const { properties } = (action === undefined ? inputOf(name) : actionOf(action)) ?? {};
      t.ok(properties !== undefined, `${code}: ${name} ${action ?? ''}`);
      for (const argument of action === undefined && first !== '' ? [first, ...rest] : rest) {
        t.ok(properties !== undefined && argument in properties, `${code}: ${name} takes ${argument}`);
        count += 1;
      }
    }
  }
  t.ok(count > 10, `${count} arguments are named`);
});

t.test('refusals, simulations and briefs name tools; what a player wrote stays as it is', async (t) => {
  const { server, play, client } = await begin(t, { settings: { rules: SPOKEN_RULES } });
  const { playerId: ada, planetId } = await play.rich('Ada');
  const { id: bob } = await play.newcomer('bob');
  const host = await McpHost.start(t, { url: server.url, playerId: ada });
  t.match(await host.call('act', { actions: [{ action: 'upgrade', planetId, buildingType: 'shipyard' }] }), {
    text: /building_not_found: .* Build it with act \{action: construct, planetId, buildingType\}; /,
  });
  const ships = [{ shipType: 'scout', count: 1 }];
  const flight = { originPlanetId: planetId, targetPlanetId: await play.neighbour(planetId), ships };
  t.match(await host.call('simulate', flight), { text: /act \{action: build_ships, planetId, shipType, count\}\.$/m });
  await client.command('/api/message', { playerId: bob, to: ada, text: 'POST /api/batch' });
  const { text } = await host.call('brief');
  t.match(text, 'To act: `options {planetId}` lists everything');
  t.match(text, '"POST /api/batch"');
  t.equal(text.match(/(GET|POST|PUT) \/\w+/g)?.length, 1);
});
