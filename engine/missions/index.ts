// All missions, by their position in the catalogue.

import { attack } from './attack.js';
import { colonize } from './colonize.js';
import { deploy } from './deploy.js';
import { espionage } from './espionage.js';
import type { Mission } from './mission.js';
import { ATTACK, COLONIZE, DEPLOY, ESPIONAGE, TRANSPORT } from './names.js';
import { transport } from './transport.js';

const MISSION_RULES: Readonly<Record<number, Mission>> = {
  [ATTACK]: attack,
  [TRANSPORT]: transport,
  [DEPLOY]: deploy,
  [COLONIZE]: colonize,
  [ESPIONAGE]: espionage,
};

/** The rules of a mission, by its index into MISSIONS. */
export function missionRules(mission: number): Mission {
  return MISSION_RULES[mission] as Mission;
}
