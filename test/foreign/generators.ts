// Generators of code: what they make of our documents must compile strictly, and no type may be without a name.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Parser } from '@asyncapi/parser';
import { inRepository, packageVersion } from './repository-packages.js';
import { outputOf, RESOLVE, type Tool, type Trial } from './tool.js';

const MODELINA_DRIVER = fileURLToPath(new URL('./drivers/modelina.js', import.meta.url));
const COMPILER = inRepository('node_modules/typescript/bin/tsc');
const STRICTLY = '--noEmit --strict --noUncheckedIndexedAccess --target es2022 --lib es2022,dom,dom.iterable'
  .concat(' --module esnext --moduleResolution bundler')
  .split(' ');

export const GENERATORS = {
  'openapi-typescript': {
    version: packageVersion('openapi-typescript'),
    reads: 'documents',
    run: async (trial) => {
      const cli = inRepository('node_modules/openapi-typescript/bin/cli.js');
      return await compiled(trial, [cli, trial.openApi, '-o', join(trial.folder, 'api.ts')]);
    },
  },
  '@hey-api/openapi-ts': {
    packages: ['@hey-api/openapi-ts'],
    reads: 'documents',
    run: (trial) => {
      const cli = join(trial.folderOf('@hey-api/openapi-ts'), 'bin/run.js');
      return compiled(trial, [cli, '-i', trial.openApi, '-o', trial.folder]);
    },
  },
  orval: {
    packages: ['orval'],
    reads: 'documents',
    run: (trial) => {
      const cli = join(trial.folderOf('orval'), 'dist/bin/orval.mjs');
      const output = join(trial.folder, 'api.ts');
      return compiled(trial, [cli, '--input', trial.openApi, '--output', output, '--client', 'fetch']);
    },
  },
  'swagger-typescript-api': {
    packages: ['swagger-typescript-api'],
    reads: 'documents',
    run: (trial) => {
      const cli = join(trial.folderOf('swagger-typescript-api'), 'dist/cli.mjs');
      return compiled(trial, [cli, 'generate', '--path', trial.openApi, '--output', trial.folder]);
    },
  },
  '@asyncapi/parser': {
    version: packageVersion('@asyncapi/parser'),
    reads: 'documents',
    run: async ({ asyncApi }) => {
      const { document, diagnostics } = await new Parser().parse(await readFile(asyncApi, 'utf8'));
      const [fault] = diagnostics.filter(({ code }) => code !== 'asyncapi-latest-version');
      if (fault !== undefined || document === undefined) throw new Error(fault?.message ?? 'no document');
      return `${document.allMessages().length} messages`;
    },
  },
  '@asyncapi/modelina': {
    packages: ['@asyncapi/modelina'],
    reads: 'documents',
    run: (trial) =>
      compiled(trial, [MODELINA_DRIVER, trial.folderOf('@asyncapi/modelina'), trial.asyncApi, trial.folder]),
  },
} as const satisfies Readonly<Record<string, Tool>>;

/** Runs a generator, and compiles what it has written. @returns how much that is */
async function compiled({ node, folder }: Trial, args: readonly string[]): Promise<string> {
  await outputOf(node, [RESOLVE, ...args], folder);
  const files = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.ts'));
  if (files.length === 0) throw new Error('it has written no TypeScript');
  await outputOf(process.execPath, [COMPILER, ...STRICTLY, ...files], folder);
  const texts = await Promise.all(files.map((name) => readFile(join(folder, name), 'utf8')));
  const unnamed = texts.join('\n').match(/\w*Anonymous\w*/);
  if (unnamed !== null) throw new Error(`a type is called ${unnamed[0]}`);
  const lines = texts.reduce((sum, text) => sum + text.split('\n').length, 0);
  return `${lines} lines compile`;
}
