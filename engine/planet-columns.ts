// The columns of a row. Those whose number depends on the rules come last: levels by building type, then ships by ship type.
import { RESOURCES } from './resources.js';

export const STOCK = 0;
export const STOCK_SINCE_MS: number = STOCK + RESOURCES.length;
export const KEY: number = STOCK_SINCE_MS + 1;
export const OWNER_NUMBER: number = KEY + 1;
export const CHANGED_SEQ: number = KEY + 2;
export const QUEUE_NUMBER: number = KEY + 3;
export const BUILDING_TYPE: number = KEY + 4;
/** 0 where nothing is being built. */
export const TARGET_LEVEL: number = KEY + 5;
export const STARTED_AT_MS: number = KEY + 6;
export const FINISH_AT_MS: number = KEY + 7;
export const UPGRADE_TIMER: number = KEY + 8;
export const SHIP_TYPE: number = KEY + 9;
/** 0 where no ships are being built. */
export const SHIP_COUNT: number = KEY + 10;
export const SHIPS_FINISH_AT_MS: number = KEY + 11;
export const ORDER_TIMER: number = KEY + 12;
export const LEVELS: number = KEY + 13;
/** A row takes whole lines of memory, 64 bytes each. */
export const COLUMNS_PER_LINE = 8;
