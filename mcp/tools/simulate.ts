// The tool simulate: duration and cost of a flight with each drive. It launches nothing.
import { z } from 'zod';
import { answerOf, lootTexts, warningText } from '../texts.js';
import { cargo, given, mission, planetId, ships, type Tool } from '../tool.js';
import { inToolWords } from '../tool-words.js';

const input = z.strictObject({
  originPlanetId: planetId,
  targetPlanetId: planetId,
  ships,
  mission: mission.optional(),
  resources: cargo.optional().describe('Cargo'),
});

export const simulate: Tool<z.infer<typeof input>> = {
  name: 'simulate',
  title: 'Simulate a flight',
  description:
    'What a flight takes with each drive: seconds one way, h2 there and back, whether a launch would be accepted now, the most that an attack can loot, and a warning if the fleet would come back without what it flies for. Launches nothing.',
  input,
  isRead: true,
  async run({ galaxyd, playerId }, { originPlanetId, targetPlanetId, ships, mission, resources }, signal) {
    const { body } = await galaxyd.post('/api/fleet/simulate', {
      body: {
        playerId,
        originPlanetId,
        targetPlanetId,
        ships,
        ...given({ mission }),
        ...(resources === undefined ? {} : { resources: given(resources) }),
      },
      signal,
    });
    const results = body.results.map(({ reason, ...rest }) => {
      return { ...rest, reason: reason === undefined ? '' : `${reason.code}: ${inToolWords(reason.detail)}` };
    });
    const reasons = new Set(results.map(({ reason }) => reason));
    // One that all drives share is said once.
    const [shared = ''] = reasons.size === 1 ? reasons : [];
    const lines = results.map(({ drive, flightSeconds, h2Cost, possible, reason, lootUnitsMax, warnings }) => {
      const outcome = possible ? 'possible' : `not possible${shared === '' ? `: ${reason}` : ''}`;
      return `- ${drive}: ${flightSeconds} s, ${h2Cost} h2, ${[outcome, ...lootTexts(lootUnitsMax), ...warnings.map(warningText)].join(' | ')}`;
    });
    const ending = shared === '' ? [] : [`Not possible: ${shared}`];
    return { text: answerOf([`Distance ${body.distance}, ${body.flightType}`, ...lines, ...ending]) };
  },
};
