// A file of admin keys: a line for each, with its name, its kind and the hash of the key. The keys themselves are nowhere.
import { open } from 'node:fs/promises';
import { ADMIN_KEY_KINDS, type AdminKey, type AdminKeyKind, OPTION_KEY_NAME } from '../../http/admission/identity.js';
import { ADMIN_KEYS_MAX } from '../../http/limits.js';
import { type FileFault, OperatorFileUnsound, readOperatorFile, UnfitOperatorFile } from './operator-file.js';

const NAME = /^[a-z0-9][a-z0-9._-]{0,63}$/;
/** What a name may be, for messages. */
export const ADMIN_KEY_NAMES = '1 to 64 of a-z, 0-9, dot, dash and underscore, with a letter or a digit first';
/** SHA-256 as base64url. */
const HASH = /^[\w-]{43}$/;
const HEAD =
  '# Admin keys of galaxyd: name, kind (full or read), hash of the key. galaxyd admin-key new adds a line.\n';

/** Reads a name of an admin key. @returns null if it is none */
export function adminKeyName(text: string): string | null {
  return NAME.test(text) && text !== OPTION_KEY_NAME ? text : null;
}

/**
 * @throws OperatorFileUnsound naming each line that is wrong
 * @throws UnfitOperatorFile if others may read or write it
 * @throws Error of the operating system
 */
export async function readAdminKeys(path: string): Promise<readonly AdminKey[]> {
  const { text, isOpenToOthers } = await readOperatorFile(path);
  if (isOpenToOthers) {
    throw new UnfitOperatorFile(
      `${path} may be read or written by others than its owner and its group: chmod o-rwx ${path}`,
    );
  }
  const keys: AdminKey[] = [];
  const faults: FileFault[] = [];
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const words = line.replace(/#.*$/, '').trim();
    if (words === '') continue;
    const key = parsed(words, keys);
    if (typeof key === 'string') faults.push({ line: index + 1, message: key });
    else keys.push(key);
  }
  if (keys.length > ADMIN_KEYS_MAX) faults.push({ line: null, message: `there are more than ${ADMIN_KEYS_MAX} keys` });
  if (faults.length > 0) throw new OperatorFileUnsound(path, 'a file of admin keys', faults);
  return keys;
}

/** A line of the file; or what is wrong with it, without the words that may be a key. */
function parsed(line: string, before: readonly AdminKey[]): AdminKey | string {
  const [name = '', kind = '', hash = '', ...rest] = line.split(/\s+/);
  if (!HASH.test(hash) || rest.length > 0)
    return 'it must be a name, a kind and the hash of a key, as galaxyd admin-key new writes it';
  if (adminKeyName(name) === null) return `its name must be ${ADMIN_KEY_NAMES}, and not ${OPTION_KEY_NAME}`;
  if (!isKind(kind)) return `the kind of ${name} must be ${ADMIN_KEY_KINDS.join(' or ')}`;
  if (before.some((key) => key.name === name)) return `the name ${name} was there before`;
  if (before.some((key) => key.hash === hash)) return `${name} has the key of another name`;
  return { name, kind, hash };
}

function isKind(text: string): text is AdminKeyKind {
  return ADMIN_KEY_KINDS.some((kind) => kind === text);
}

/** Appends a key. A file that is missing is made, for its owner alone. @throws as readAdminKeys() */
export async function appendAdminKey(path: string, { name, kind, hash }: AdminKey): Promise<void> {
  const file = await open(path, 'a+', 0o600);
  try {
    const { size } = await file.stat();
    const last = Buffer.alloc(1);
    if (size > 0) await file.read(last, 0, 1, size - 1);
    const before = size === 0 ? HEAD : last.toString() === '\n' ? '' : '\n';
    await file.appendFile(`${before}${name} ${kind} ${hash}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
}
