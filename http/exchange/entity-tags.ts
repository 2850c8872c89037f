// Entity tags of replies (RFC 9110, section 8.8.3).
import { createHash } from 'node:crypto';
import { ENTITY_TAGS_LENGTH_MAX } from '../limits.js';

/** Bytes of the digest that are kept; two texts of one path collide with a probability of 2^-72. */
const VERSION_BYTES = 9;

/** Differs whenever the text differs. @param text of a reply. @returns 12 characters of base64url */
export function contentVersion(text: string | Uint8Array): string {
  return createHash('sha256').update(text).digest().subarray(0, VERSION_BYTES).toString('base64url');
}

/** The strong tag of a version of a reply: its bytes are the same while the version is. */
export function strongTag(version: string): string {
  return `"${version}"`;
}

/** Strong comparison with a list of entity tags (RFC 9110, section 13.1.1). @param tag a strong one */
export function listsStrongTag(list: string, tag: string): boolean {
  if (list.length > ENTITY_TAGS_LENGTH_MAX) return false;
  return list === '*' || list.split(',').some((item) => item.trim() === tag);
}

/** Weak comparison with a list of entity tags (RFC 9110, section 13.1.2). */
export function listsTag(list: string, tag: string): boolean {
  if (list === tag || list === '*') return true;
  const opaque = tag.replace(/^W\//, '');
  if (list.length > ENTITY_TAGS_LENGTH_MAX || !list.includes(opaque)) return false;
  return list.split(',').some((item) => item.trim().replace(/^W\//, '') === opaque);
}
