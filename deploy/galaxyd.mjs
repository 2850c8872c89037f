#!/usr/bin/env node
// The command galaxyd: looks at the release of Node before it loads the program, which older releases cannot load.
import { requireNodeRelease } from './node-release.mjs';

requireNodeRelease();
await import('../dist/cli/main.js');
