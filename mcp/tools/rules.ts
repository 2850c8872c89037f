// The tool rules: one part of the catalogue at a time.
import { z } from 'zod';
import { foreignText } from '../../text/foreign-text.js';
import type { Shapes } from '../galaxyd-client.js';
import { LEVELS_SHOWN, ORDINAL_MAX } from '../limits.js';
import { amounts, answerOf } from '../texts.js';
import { type Answer, type Tool, typeName } from '../tool.js';

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
    'and limits: up to how many planets your fleets colonize, protection, what counts as points. They do not change while you play.',
  input,
  isRead: true,
  async run({ galaxyd }, { about, buildingType, fromLevel }, signal) {
    const { body } = await galaxyd.get('/api/catalog', { signal });
    const head = `Speed ${body.speed}: durations below are divided by it, outputs multiplied.`;
    if (buildingType !== undefined) return levels(body, buildingType, fromLevel, head);
    return { text: answerOf([head, ...PARTS[about](body)]) };
  },
};

/** Constants of the server, which say nothing about the game. */
const OF_SERVER = /^(EVENT|KEPT|LEADERBOARD|NAME|PLAN_STEPS|SPEED|STOCK|SYSTEMS_PER|TIMERS|TYPE|WORLD_TIME)/;

const PARTS: Readonly<Record<z.infer<typeof input>['about'], (catalog: Catalog) => string[]>> = {
  buildings: ({ buildings }) =>
    buildings.map(({ type, description, defence }) => {
      if (defence === undefined) return `- ${type}: ${foreignText(description)}`;
      const { attacks, hitPoints, strongAgainst } = defence;
      return `- ${type}: ${foreignText(description)} Level 1: attack ${attacks[0]}, hit points ${hitPoints[0]}, growing like its cost${strongText(strongAgainst)}`;
    }),
  ships: ({ ships }) =>
    ships.map((ship) => {
      const { type, cost, baseSeconds, attack, defence, speed, cargo, h2Rate, hangarSize, hangarCapacity } = ship;
      return (
        `- ${type}: costs ${amounts(cost)}; ${baseSeconds} s; attack ${attack}, defence ${defence}, speed ${speed}, cargo ${cargo}, ` +
        `h2 rate ${h2Rate}, takes ${hangarSize} and offers ${hangarCapacity} hangar space${strongText(ship.strongAgainst)}`
      );
    }),
  research: ({ research }) =>
    research.map(({ type, unlocks, seconds, effect }) => {
      return `- ${type}: ${foreignText(unlocks)}${effectText(effect)}; level 1 takes ${seconds[0]} s`;
    }),
  drives: ({ drives }) =>
    drives.map(({ type, research, multipliers, h2Factor }) => {
      const speeds = Object.entries(multipliers).map(
        ([flight, factor]) => `${flight} ${factor === 0 ? 'no' : `x ${factor}`}`,
      );
      return `- ${type}: needs ${research ?? 'nothing'}; ${speeds.join(', ')}; h2 x ${h2Factor}`;
    }),
  constants: ({ constants, ...catalog }) => [
    ...PART_NAMES.flatMap((part) =>
      Object.entries(catalog[part] ?? {}).map(([name, value]) => {
        const figures = [value].flat().map((figure) => (typeof figure === 'object' ? amounts(figure) : figure));
        return `- ${part}.${name}: ${figures.join(', or ')}`;
      }),
    ),
    ...(catalog.shocks?.types ?? []).map(({ type, durationSeconds, effect: { kind, ...figures } }) => {
      const texts = Object.entries(figures).map(([name, value]) => `${name} ${value}`);
      return `- shock ${type}: ${kind}, ${texts.join(', ')}, ${kind === 'pirates' ? 'at once' : `for ${durationSeconds} s`}`;
    }),
    ...Object.entries(constants).flatMap(([name, value]) => (OF_SERVER.test(name) ? [] : [`- ${name}: ${value}`])),
  ],
};

/** The parts of a rule set that are lists of numbers. */
const PART_NAMES = [
  ...(['plans', 'colonies', 'war', 'points', 'deliveries', 'richness', 'sight', 'fields', 'support'] as const),
  ...(['market', 'messages', 'pacts'] as const),
];

function strongText(types: readonly string[] = []): string {
  return types.length === 0 ? '' : `, strong against ${types.join(' and ')}`;
}

function effectText(effect: Catalog['research'][number]['effect']): string {
  if (effect === undefined) return '';
  const { kind, ...figures } = effect;
  const texts = Object.entries(figures).map(([name, value]) => `${name} ${value}`);
  return ` (${kind}: ${texts.join(', ')})`;
}

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
    const { attacks, hitPoints } = building.defence ?? {};
    const strength =
      attacks === undefined ? '' : `; attack ${attacks[level - 1]}, hit points ${hitPoints?.[level - 1] ?? 0}`;
    lines.push(
      `- level ${level}: costs ${named(cost)}; ${building.seconds[level - 1]} s; an hour ${named(output)}${strength}`,
    );
  }
  return { text: answerOf([head, `${buildingType}: ${foreignText(building.description)}`, ...lines]) };
}
