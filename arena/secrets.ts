// Secrets that are drawn: keys of operators, and what keys of players are derived from.
import { randomBytes } from 'node:crypto';
import { DRAWN_SECRET_BYTES } from './limits.js';

/** @returns a new secret of characters that a URL may have */
export function drawnSecret(): string {
  return randomBytes(DRAWN_SECRET_BYTES).toString('base64url');
}
