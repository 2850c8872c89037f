// All missions, by name and by number on disk.
import { attack } from './attack.js';
import { colonize } from './colonize.js';
import { deploy } from './deploy.js';
import { espionage } from './espionage.js';
import type { Mission } from './mission.js';
import { MISSIONS, type MissionName } from './names.js';
import { transport } from './transport.js';

/** A missing mission does not compile. */
const BY_NAME: Readonly<Record<MissionName, Mission>> = { attack, transport, deploy, colonize, espionage };
const BY_NUMBER: readonly Mission[] = MISSIONS.map((name) => BY_NAME[name]);

/**
 * The rules of a mission.
 *
 * @param mission its index into MISSIONS
 * @throws Error if there is no such mission
 */
export function missionRules(mission: number): Mission {
  const rules = BY_NUMBER[mission];
  if (rules === undefined) throw new Error(`there is no mission ${mission}`);
  return rules;
}
