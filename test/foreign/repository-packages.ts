// Development packages of the repository that are tools of others, too.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../tidy/repository.js';

export function inRepository(path: string): string {
  return join(root, path);
}

export function packageVersion(name: string): string {
  const text = readFileSync(inRepository(`node_modules/${name}/package.json`), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
