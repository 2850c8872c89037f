// Imports a package that is kept in a folder of its own.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * Needs Node's flag --experimental-import-meta-resolve.
 *
 * @param folder of the package, below a `node_modules`
 * @param specifier as its users write it, such as `undici`
 */
export async function imported<Module>(folder: string, specifier: string): Promise<Module> {
  const user = pathToFileURL(join(folder.slice(0, folder.lastIndexOf('node_modules')), 'user.js')).href;
  return (await import(import.meta.resolve(specifier, user))) as Module;
}
