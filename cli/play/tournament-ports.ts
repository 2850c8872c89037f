// What the arena needs of galaxyd to play and to verify tournaments: the program, a reader of worlds, and the hashes of keys.
import type { TournamentPorts } from '../../arena/tournament/tournament.js';
import type { VerificationPorts } from '../../arena/tournament/verify.js';
import { Rules } from '../../engine/rules/rules.js';
import { SHIPPED_RULES } from '../../engine/rules/shipped.js';
import { varied } from '../../engine/rules/vary.js';
import { derivedApiKey } from '../../http/admission/identity.js';
import { OVERRUNS_MAX, OWN_WAKEUPS_PER_WAKEUP_BY_OTHERS } from '../../http/limits.js';
import { Tournament } from '../../http/schemas/tournament.js';
import { BUILD } from '../../http/version.js';
import { rulesIdentity } from '../../persistence/rules/stored-rules.js';
import { Compile } from '../../persistence/typebox.js';
import { GALAXYD, openFilesMax } from '../serve/process.js';
import { readFinishedWorld } from './finished-world.js';

export function tournamentPorts(): TournamentPorts {
  const { PATH: path = '' } = process.env;
  const openFiles = openFilesMax();
  return {
    version: BUILD,
    program: GALAXYD,
    path,
    openFilesMax: openFiles,
    readFinishedWorld,
    shapeFault: resultFault(),
  };
}

export function verificationPorts(): VerificationPorts {
  return {
    readFinishedWorld,
    shapeFault: resultFault(),
    instanceOf({ digest }, variation) {
      const rules = SHIPPED_RULES.find((shipped) => rulesIdentity(shipped).digest === digest);
      return rules === undefined ? null : rulesIdentity(new Rules(varied(rules.set, variation)));
    },
    shippedRules(name) {
      const rules = SHIPPED_RULES.find(({ set }) => set.name === name);
      return rules === undefined ? null : rulesIdentity(rules);
    },
    turns: { overrunsMax: OVERRUNS_MAX, ownWakeupsPerWakeupByOthers: OWN_WAKEUPS_PER_WAKEUP_BY_OTHERS },
    keyHashOf: (keySecret, playerName) => derivedApiKey(keySecret, playerName).hash,
  };
}

/** Says what is wrong with the shape of a result. */
function resultFault(): (content: unknown) => string | null {
  const check = Compile(Tournament);
  return (content) => {
    const [fault] = check.Check(content) ? [] : check.Errors(content);
    if (fault !== undefined) return `${fault.instancePath || '/'} ${fault.message}`;
    const foreign = foreignMember(Tournament, content, '');
    return foreign === null ? null : `${foreign} is not a known field`;
  };
}

/** The part of a schema about members, elements and alternatives. */
interface Described {
  readonly properties?: Readonly<Record<string, object>>;
  readonly items?: object;
  readonly anyOf?: readonly object[];
}

/** @returns the path of a member that the schema does not have; null if there is none */
function foreignMember(schema: object, value: unknown, path: string): string | null {
  if (typeof value !== 'object' || value === null) return null;
  // Of the alternatives of a schema, at most one is an object.
  const alternatives: readonly Described[] = (schema as Described).anyOf ?? [schema];
  const { properties, items }: Described = alternatives.find((one) => 'properties' in one) ?? schema;
  if (properties === undefined && items === undefined) return null;
  for (const [name, part] of Object.entries(value)) {
    const described = items ?? (Object.hasOwn(properties ?? {}, name) ? properties?.[name] : undefined);
    const foreign = described === undefined ? `${path}/${name}` : foreignMember(described, part, `${path}/${name}`);
    if (foreign !== null) return foreign;
  }
  return null;
}
