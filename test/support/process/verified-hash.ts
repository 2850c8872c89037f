// What `galaxyd verify` finds, in this process.
import { storeAt } from '../../../persistence/store-url.js';
import { verifyWorld } from '../../../persistence/upkeep/verify.js';

/** @returns the state hash of a data folder that is sound. @throws what is wrong with it */
export async function verifiedHash(dataFolder: string): Promise<string> {
  return (await verifyWorld(storeAt(dataFolder))).stateHash;
}
