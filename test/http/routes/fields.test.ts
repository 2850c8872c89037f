// What lies in space near a planet, as the API shows it.
import t from 'tap';
import { FIELDS_NEAR_MAX } from '../../../http/limits.js';
import type { FieldsBody } from '../../../http/schemas/planning.js';
import { PARTS_RULES } from '../../support/parts-rules.js';
import { begin } from '../support/serving.js';

t.test('the nearest fields come first, as many as are wanted', async (t) => {
  const { client, play } = await begin(t, { settings: { rules: PARTS_RULES } });
  const { planetId } = await play.rich('ada');
  const path = `/api/game/fields/${planetId}`;
  const { fields } = await client.read<FieldsBody>(path);
  t.equal(fields.length, FIELDS_NEAR_MAX);
  t.same(
    fields,
    fields.toSorted((one, other) => one.distance - other.distance),
  );
  const [, galaxy, system] = planetId.split('-');
  t.match(fields[0]?.planetId, new RegExp(`^planet-${galaxy}-${system}-`), 'each system has asteroids');
  t.same(await client.read(`${path}?limit=2`), { planetId, fields: fields.slice(0, 2) });
  for (const limit of [0, FIELDS_NEAR_MAX + 1])
    t.match(await client.refusal('GET', `${path}?limit=${limit}`), { code: 'invalid_request' });
});

t.test('without fields in the rules nothing lies anywhere', async (t) => {
  const { client, play } = await begin(t);
  const { planetId } = await play.rich('ada');
  t.same(await client.read(`/api/game/fields/${planetId}`), { planetId, fields: [] });
});
