// The examples in the documents are what a server answers: their requests, sent to a world of seed 1 whose clock stands
// at the start of the world.
import t from 'tap';
import type { Route } from '../../http/pipeline/route.js';
import { ROUTES } from '../../http/routes/table.js';
import { begin } from './support/serving.js';

/** Operations that a new player can begin with, each on a world of its own. */
const STORIES = [
  ['getPlanet'],
  ['getBuildings'],
  ['constructBuilding'],
  ['upgradeBuilding', 'cancelBuilding', 'getPlanet'],
  ['startResearch', 'getResearch', 'getState'],
];

for (const story of STORIES) {
  t.test(`the examples of createPlayer, ${story.join(', ')}`, async (t) => {
    const { client } = await begin(t);
    for (const { method, path, body, replies, parameters } of ['createPlayer', ...story].map(routeOf)) {
      const [reply] = replies;
      const filled = path.replace(/:(\w+)/g, (_, name) => {
        return String(parameters.find((parameter) => parameter.name === name)?.example);
      });
      const answered = await client.request(method, filled, body === null ? {} : { body: body.example });
      t.equal(answered.status, reply?.status, `${method} ${filled}`);
      t.same(answered.body, reply?.example);
    }
  });
}

function routeOf(operationId: string): Route {
  const found = ROUTES.find((route) => route.operationId === operationId);
  if (found === undefined) throw new Error(`there is no ${operationId}`);
  return found;
}
