// Every generated file except the examples of the API, which a test records from a running server.
import { apiDocument } from './api-document.js';
import { betrayalDocument } from './betrayal-document.js';
import { clientTypes } from './client-types.js';
import { renewEvents } from './events-document.js';
import { grafanaDashboard } from './grafana-dashboard.js';
import { pythonModules } from './python-client.js';
import { renewRules } from './rules-document.js';

interface GeneratedFile {
  /** False for one that is made when it is needed. */
  readonly isInGit: boolean;
  /** @param current text of the file, whose parts that are written by hand stay */
  readonly render: (current: string) => string | Promise<string>;
}

/** Indexed by path. */
export const GENERATED: Readonly<Record<string, GeneratedFile>> = {
  'clients/typescript/src/api.ts': { isInGit: false, render: clientTypes },
  'deploy/grafana-dashboard.json': { isInGit: false, render: grafanaDashboard },
  'docs/api.md': { isInGit: false, render: apiDocument },
  'docs/betrayal.md': { isInGit: true, render: betrayalDocument },
  'docs/events.md': { isInGit: true, render: renewEvents },
  'docs/rules.md': { isInGit: true, render: renewRules },
  ...Object.fromEntries(
    Object.entries(pythonModules()).map(([path, text]) => [path, { isInGit: true, render: () => text }]),
  ),
};
