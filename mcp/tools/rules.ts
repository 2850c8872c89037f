// The tool rules: parts of the catalogue, one at a time.
import { z } from 'zod';
import type { Shapes } from '../galaxyd-client.js';
import { typeName } from '../inputs.js';
import { LEVELS_SHOWN, ORDINAL_MAX } from '../limits.js';
import { amounts, answerOf } from '../texts.js';
import type { Answer, Tool } from '../tool.js';

type Catalog = Shapes['Catalog'];

const input = z.strictObject({
  about: z.enum(['buildings', 'ships', 'research', 'drives', 'constants']),
  buildingType: typeName('Building type').optional().describe('Shows the levels of this building'),
  fromLevel: z.int().min(1).max(ORDINAL_MAX).default(1).describe('First level that is shown'),
});

export const rules: Tool<z.infer<typeof input>> = {
  name: 'rules',
  title: 'The rules',
  description:
    'A part of the rules: the buildings (with `buildingType`, cost, output and duration of its levels), ships, research, drives, or constants ' +
    'and limits. They do not change while you play.',
  input,
  isRead: true,
  async run({ galaxyd }, { about, buildingType, fromLevel }, signal) {
    const { body } = await galaxyd.get('/api/catalog', { signal });
    const head = `Speed ${body.speed}: durations below are divided by it, outputs multiplied.`;
    if (buildingType !== undefined) return levels(body, buildingType, fromLevel, head);
    return { text: answerOf([head, ...PARTS[about](body)]) };
  },
};

const PARTS: Readonly<Record<z.infer<typeof input>['about'], (catalog: Catalog) => string[]>> = {
  buildings: ({ buildings }) => buildings.map(({ type, description }) => `- ${type}: ${description}`),
  ships: ({ ships }) =>
    ships.map((ship) => {
      const { type, cost, baseSeconds, attack, defence, speed, cargo, h2Rate, hangarSize, hangarCapacity } = ship;
      return (
        `- ${type}: costs ${amounts(cost)}; ${baseSeconds} s; attack ${attack}, defence ${defence}, speed ${speed}, cargo ${cargo}, ` +
        `h2 rate ${h2Rate}, takes ${hangarSize} and offers ${hangarCapacity} hangar space`
      );
    }),
  research: ({ research }) =>
    research.map(({ type, unlocks, seconds }) => `- ${type}: unlocks ${unlocks}; level 1 takes ${seconds[0]} s`),
  drives: ({ drives }) =>
    drives.map(({ type, research, multipliers, h2Factor }) => {
      const speeds = Object.entries(multipliers).map(
        ([flight, factor]) => `${flight} ${factor === 0 ? 'no' : `x ${factor}`}`,
      );
      return `- ${type}: needs ${research ?? 'nothing'}; ${speeds.join(', ')}; h2 x ${h2Factor}`;
    }),
  constants: ({ constants }) => Object.entries(constants).map(([name, value]) => `- ${name}: ${value}`),
};

function levels({ buildings, resources }: Catalog, buildingType: string, fromLevel: number, head: string): Answer {
  const building = buildings.find(({ type }) => type === buildingType);
  if (building === undefined)
    return {
      text: `There is no ${JSON.stringify(buildingType)}; there are: ${buildings.map(({ type }) => type).join(', ')}.`,
      isRefusal: true,
    };
  const named = (units: readonly number[] = []): string =>
    amounts(Object.fromEntries(resources.map((name, index) => [name, units[index] ?? 0])));
  const last = Math.min(fromLevel + LEVELS_SHOWN - 1, building.maximumLevel);
  const lines: string[] = [];
  for (let level = fromLevel; level <= last; level += 1) {
    const [cost, output] = [building.costs[level - 1], building.outputsPerHour[level - 1]];
    lines.push(`- level ${level}: costs ${named(cost)}; ${building.seconds[level - 1]} s; an hour ${named(output)}`);
  }
  return { text: answerOf([head, `${buildingType}: ${building.description}`, ...lines]) };
}
