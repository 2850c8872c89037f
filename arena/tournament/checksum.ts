// The checksum of a file, as sha256sum(1) prints it.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';

/** @returns SHA-256 of a file in hexadecimal digits. @throws Error of the operating system */
export async function sumOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const bytes of createReadStream(path)) hash.update(bytes as Buffer);
  return hash.digest('hex');
}
