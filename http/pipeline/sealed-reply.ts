// Encrypts replies that hold an API key, for the log. Only a client with the Idempotency-Key of the request can read
// them, and that key is stored nowhere.
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Separates keys derived here from others derived from the same secret (RFC 5869, section 3.2). */
const PURPOSE = 'galaxyd: the sealed reply to an Idempotency-Key';

/**
 * @param idempotencyKey of the request
 * @param requestDigest binds the reply to the request that it answers
 * @returns nonce, tag and ciphertext as base64url
 */
export function sealReply(reply: string, idempotencyKey: string, requestDigest: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, sealingKey(idempotencyKey, requestDigest), nonce);
  const sealed = [cipher.update(reply, 'utf8'), cipher.final()];
  return Buffer.concat([nonce, cipher.getAuthTag(), ...sealed]).toString('base64url');
}

/** @throws Error if it was sealed with another key or for another request, or has been modified */
export function openReply(sealedReply: string, idempotencyKey: string, requestDigest: string): string {
  const bytes = Buffer.from(sealedReply, 'base64url');
  const nonce = bytes.subarray(0, NONCE_BYTES);
  const key = sealingKey(idempotencyKey, requestDigest);
  const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  const opened = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES));
  return Buffer.concat([opened, decipher.final()]).toString();
}

function sealingKey(idempotencyKey: string, requestDigest: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', idempotencyKey, requestDigest, PURPOSE, KEY_BYTES));
}
