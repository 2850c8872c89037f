// What the arena needs of galaxyd to play tournaments and to verify them: the program, the reading of worlds, the hashes of keys.
import { fileURLToPath } from 'node:url';
import type { TournamentPorts } from '../arena/tournament/tournament.js';
import type { VerificationPorts } from '../arena/tournament/verify.js';
import { derivedApiKey } from '../http/admission/identity.js';
import { Tournament } from '../http/schemas/tournament.js';
import { VERSION } from '../http/version.js';
import { Compile } from '../persistence/typebox.js';
import { sealWorld } from './sealed-world.js';

const PROGRAM = fileURLToPath(new URL('./main.js', import.meta.url));

export function tournamentPorts(): TournamentPorts {
  const { PATH: path = '' } = process.env;
  return { version: VERSION, program: [process.execPath, PROGRAM], path, sealWorld };
}

export function verificationPorts(): VerificationPorts {
  const check = Compile(Tournament);
  return {
    sealWorld,
    keyHashOf: (keySecret, playerName) => derivedApiKey(keySecret, playerName).hash,
    shapeFault(content) {
      if (check.Check(content)) return null;
      const [fault] = check.Errors(content);
      return `${fault?.instancePath || '/'} ${fault?.message}`;
    },
  };
}
