// Checks the house rules that neither the compiler, Biome nor dependency-cruiser can check. Each rule is a row with
// examples that it must refuse and examples that it must allow, so that a rule that cannot fail fails here.

import { posix } from 'node:path';
import t from 'tap';
import { committedFiles, textOf } from './repository.js';

interface Rule {
  readonly rule: string;
  /** Matches the paths of the files that the rule is about. */
  readonly about: RegExp;
  /** @returns what is wrong, or undefined */
  readonly fault: (path: string, text: string) => string | undefined;
  readonly refuses: ReadonlyArray<readonly [path: string, text: string]>;
  readonly allows: ReadonlyArray<readonly [path: string, text: string]>;
}

const source = /\.(ts|tsx|mts|cts|js|mjs|cjs|css)$/;
const emptyNames = new Set(['common', 'data', 'helper', 'helpers', 'info', 'manager', 'misc', 'util', 'utils']);

/** Written in pieces, so that this file does not itself contain what it forbids. */
const note = ['TO', 'DO'].join('');
const pathOf = (...parts: string[]): string => ['', ...parts].join('/');
const hostOf = (...parts: string[]): string => `https://${parts.join('.')}/`;

/** Lines of a bot: it is an example, which a newcomer reads at once. */
const BOT_LINES_MAX = 150;
const linesOf = (text: string): number => text.split('\n').length - 1;

const committed = new Set(committedFiles());
const chapters = new Set([...committed].flatMap((path) => /^docs\/decisions\/0?(\d+)-/.exec(path)?.[1] ?? []));
const SPECIFICATION = 'docs/specification.md';
const sections = new Set([...textOf(SPECIFICATION).matchAll(/^## (\d+)\. /gm)].map(([, number = '']) => number));
/** Reads "decision 12" and "decisions 4, 5 and 12". */
const decisionPattern = /\bdecisions? (\d+(?:(?:,? and |, )\d+)*)/gi;
/** Reads "specification, section 12" and "specification, sections 4, 5 and 12", in one line of a comment or in two. */
const sectionPattern = /\bspecification,[\s/*#]+sections? (\d+(?:(?:,? and |, )\d+)*)/gi;
/** Reads the references of the specification to itself. */
const ownSectionPattern = /\bsections? (\d+(?:(?:,? and |, )\d+)*)/gi;

/** The first number that a text refers to and that is not known. */
function lostNumber(text: string, reference: RegExp, known: ReadonlySet<string>): string | undefined {
  const numbers = [...text.matchAll(reference)].flatMap(([, list = '']) => list.match(/\d+/g) ?? []);
  return numbers.find((number) => !known.has(number));
}

const rules: readonly Rule[] = [
  {
    rule: 'a source file opens with a comment that says what it owns',
    about: source,
    fault: (_path, text) => (/^(#!.*\n)?(\/\/ \S|\/\*)/.test(text) ? undefined : 'opens without a comment'),
    refuses: [
      ['engine/ship.ts', "import { a } from './a.js';\n// Owns the ships.\n"],
      ['engine/ship.ts', ''],
    ],
    allows: [
      ['engine/ship.ts', '// Owns the ships.\n'],
      ['cli/main.ts', '#!/usr/bin/env node\n// Owns the arguments.\n'],
      ['dashboard/style/page.css', '/* Owns the page. */\n'],
    ],
  },
  {
    rule: 'source files and folders are named after things of the domain',
    about: source,
    fault: (path) => {
      const things = path.split('/').map((part) => part.split('.')[0]?.split('-').at(-1) ?? '');
      const empty = things.find((thing) => emptyNames.has(thing));
      return empty === undefined ? undefined : `is named "${empty}"`;
    },
    refuses: [
      ['engine/fleet-manager.ts', ''],
      ['http/utils/reply.ts', ''],
    ],
    allows: [
      ['engine/fleet.ts', ''],
      ['persistence/data-folder.ts', ''],
    ],
  },
  {
    rule: 'open work is recorded in an issue and not in a file',
    about: /\.(ts|tsx|css|js|mjs|cjs|md|json|grit|yml)$|^\.ci\//,
    fault: (_path, text) => text.match(/\b(T[O]DO|FIX[M]E|X[X]X)\b/)?.[0],
    refuses: [['engine/ship.ts', `// ${note}: fly\n`]],
    allows: [['engine/ship.ts', '// Nothing is left to do.\n']],
  },
  {
    rule: 'no file names a path of the machine it was written on',
    about: /(?<!\.(png|jpg))$/,
    fault: (_path, text) => text.match(/(?<![\w.:/-])(\/(home|Users|root|work|tmp)\/\w+|[A-Z]:\\\w+)/)?.[0],
    refuses: [
      ['docs/operating.md', `run ${pathOf('home', 'ann', 'galaxyd')}`],
      ['package-lock.json', `"${pathOf('tmp', 'cache')}"`],
      ['engine/ship.ts', `// see ${pathOf('work', 'main')}`],
    ],
    allows: [
      [
        'docs/operating.md',
        `serve --data ${pathOf('var', 'lib', 'galaxyd')}, see https://example.org${pathOf('home', 'page')}`,
      ],
    ],
  },
  {
    rule: 'no file names a package registry, so that each installs from its own',
    about: /./,
    fault: (_path, text) =>
      text.match(/\/\/[^\s/"'`]*(registry|artifactory|nexus|verdaccio|jfrog)[^\s"'`]*|"resolved": "[\w+]+:/)?.[0],
    refuses: [
      ['package-lock.json', `"resolved": "${hostOf('packages', 'example', 'org')}"`],
      ['.npmrc', `fund=false\nregistry=${hostOf('registry', 'example', 'org')}`],
    ],
    allows: [
      ['README.md', 'https://www.npmjs.com/package/lmdb'],
      ['package-lock.json', '"resolved": "clients/typescript"'],
    ],
  },
  {
    rule: 'the command line writes only through output/lines.ts, which makes every line printable',
    about: /^(cli|mcp|text)\/(?!output\/lines\.ts$)/,
    fault: (_path, text) =>
      text.match(/\bconsole\.\w+\(|\bwriteSync\b|\bprocess\.std(out|err)\b(?!\.(fd|columns)\b)/)?.[0],
    refuses: [
      ['cli/commands/log.ts', 'console.log(name);'],
      ['cli/commands/log.ts', 'process.stdout.write(name);'],
      ['cli/serve/live-world.ts', 'const { write } = process.stderr;'],
      ['mcp/server.ts', 'console.error(error.message);'],
      ['cli/serve/live-world.ts', "import { writeSync } from 'node:fs';"],
    ],
    allows: [
      ['cli/play/swarm-board.ts', 'const width = process.stderr.columns;'],
      ['cli/commands/log.ts', 'printLines(lines);'],
    ],
  },
  {
    rule: 'a bot is shorter than 150 lines',
    about: /^arena\/bots\/[^/]+\.ts$/,
    fault: (_path, text) => (linesOf(text) < BOT_LINES_MAX ? undefined : `has ${linesOf(text)} lines`),
    refuses: [['arena/bots/idler.ts', '\n'.repeat(BOT_LINES_MAX)]],
    allows: [['arena/bots/idler.ts', '\n'.repeat(BOT_LINES_MAX - 1)]],
  },
  {
    rule: 'a bot depends on nothing but what it sees and its seed',
    about: /^arena\/(bots\/|[^/]+\.ts$)/,
    fault: (_path, text) =>
      text.match(/\b(Math\.random\(|Date\.now\(|performance\.now\(|new Date\(\)|randomUUID\()/)?.[0],
    refuses: [['arena/bots/idler.ts', 'const choice = Math.random();']],
    allows: [['arena/bots/idler.ts', 'const atMs = Date.parse(hand.now);']],
  },
  {
    rule: 'a reference to a decision leads to a chapter of docs/decisions',
    about: /\.(ts|tsx|css|js|mjs|cjs|py|sh|md|yml)$/,
    fault: (_path, text) => {
      const otherForm = text.match(/\bA[D]Rs?\b/)?.[0];
      if (otherForm !== undefined) return otherForm;
      const lost = lostNumber(text, decisionPattern, chapters);
      return lost === undefined ? undefined : `decision ${lost}`;
    },
    refuses: [
      ['engine/ship.ts', `// see ${['decision', '99'].join(' ')}`],
      ['engine/ship.ts', `// see ${['decisions 1, 2 and', '99'].join(' ')}`],
      ['engine/ship.ts', `// see ${['AD', 'R 12'].join('')}`],
    ],
    allows: [['engine/ship.ts', '// see decision 1, and decisions 12 and 27']],
  },
  {
    rule: 'a reference to the interface specification leads to a section of docs/specification.md',
    about: /\.(ts|tsx|css|js|mjs|cjs|py|sh|md|yml)$/,
    fault: (path, text) => {
      const lost = lostNumber(text, path === SPECIFICATION ? ownSectionPattern : sectionPattern, sections);
      return lost === undefined ? undefined : `section ${lost}`;
    },
    refuses: [
      ['engine/ship.ts', `// see ${['specification, section', '99'].join(' ')}`],
      ['engine/ship.ts', `// see the ${['specification,\n// sections 1, 2 and', '99'].join(' ')}`],
      [SPECIFICATION, `as ${['section', '99'].join(' ')} says`],
    ],
    allows: [
      ['engine/ship.ts', '// see specification, section 1, and RFC 9110, section 99'],
      [SPECIFICATION, 'sections 1, 5 and 18'],
    ],
  },
  {
    rule: 'a link in a document leads to a file of the repository',
    about: /\.md$/,
    fault: (path, text) => {
      for (const [link, target = ''] of text.matchAll(/\]\(([^)\s#:]+)(?:#[^)]*)?\)/g)) {
        const linked = posix.join(posix.dirname(path), target).replace(/\/$/, '');
        if (!committed.has(linked) && ![...committed].some((file) => file.startsWith(`${linked}/`))) return link;
      }
      return undefined;
    },
    refuses: [
      ['docs/arena.md', '[turns](decisions/99-turns.md)'],
      ['README.md', '![the map](docs/images/no-such-map.jpg)'],
    ],
    allows: [
      [
        'docs/arena.md',
        '[turns](decisions/README.md#the-world), [decisions](decisions), [site](https://example.org/page)',
      ],
    ],
  },
  {
    rule: 'nothing is imported from outside the repository',
    about: source,
    fault: (path, text) => {
      const depth = path.split('/').length - 1;
      const imports = text.matchAll(/(?:from|import)\s*\(?\s*['"]((?:\.\.?\/)+)[^'"]*['"]/g);
      for (const [statement, up = ''] of imports) {
        if (up.split('../').length - 1 > depth) return statement;
      }
      return undefined;
    },
    refuses: [
      ['engine/ship.ts', "import { a } from '../../elsewhere/a.js';"],
      ['cli/main.ts', "await import('../../elsewhere/a.js');"],
    ],
    allows: [['test/engine/ship.test.ts', "import { ship } from '../../engine/ship.js';"]],
  },
];

for (const { rule, about, fault, refuses, allows } of rules) {
  t.test(rule, async (t) => {
    for (const [path, text] of refuses) t.ok(fault(path, text), `refuses ${path}: ${JSON.stringify(text)}`);
    for (const [path, text] of allows) t.notOk(fault(path, text), `allows ${path}: ${JSON.stringify(text)}`);
    const faults = committedFiles()
      .filter((path) => about.test(path))
      .flatMap((path) => {
        const found = fault(path, textOf(path));
        return found === undefined ? [] : [`${path}: ${found}`];
      });
    t.same(faults, [], 'the repository follows it');
  });
}

t.test('the list of committed files is complete', async (t) => {
  const files = committedFiles();
  t.ok(files.includes('package.json'));
  t.ok(files.includes('test/tidy/house.test.ts'));
  t.notOk(files.some((path) => path.includes('node_modules/') || path.startsWith('dist/')));
});
