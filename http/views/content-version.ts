// The version of a text that is rendered seldom and read often, for its entity tag: equal texts have equal versions.
import { createHash } from 'node:crypto';

/** Bytes of the digest that are kept; two texts of one path collide with a probability of 2^-72. */
const VERSION_BYTES = 9;

/** @param text of a reply. @returns 12 characters of base64url */
export function contentVersion(text: string | Uint8Array): string {
  return createHash('sha256').update(text).digest().subarray(0, VERSION_BYTES).toString('base64url');
}
