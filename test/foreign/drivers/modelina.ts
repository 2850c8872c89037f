// Lets Modelina make TypeScript of an AsyncAPI document, all in one file.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { imported } from './imported.js';

interface Modelina {
  readonly TypeScriptGenerator: new () => {
    readonly generate: (document: unknown) => Promise<readonly { readonly result: string }[]>;
  };
}

const [packageFolder = '', document = '', folder = ''] = process.argv.slice(2);
const { TypeScriptGenerator } = await imported<Modelina>(packageFolder, '@asyncapi/modelina');
const models = await new TypeScriptGenerator().generate(JSON.parse(await readFile(document, 'utf8')));
await writeFile(join(folder, 'models.ts'), models.map(({ result }) => result).join('\n'));
