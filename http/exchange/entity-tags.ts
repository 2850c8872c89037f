// Entity tags of replies (RFC 9110, section 8.8.3).
import { IF_NONE_MATCH_LENGTH_MAX } from '../limits.js';

/** Weak comparison with a list of entity tags (RFC 9110, section 13.1.2). */
export function listsTag(list: string, tag: string): boolean {
  if (list === tag || list === '*') return true;
  const opaque = tag.slice(2);
  if (list.length > IF_NONE_MATCH_LENGTH_MAX || !list.includes(opaque)) return false;
  return list.split(',').some((item) => item.trim().replace(/^W\//, '') === opaque);
}
