// The result of `galaxyd verify`, in this process.
import { storeAt } from '../../../persistence/store-url.js';
import { verifyWorld } from '../../../persistence/upkeep/verify.js';

/** @returns the state hash of a sound data folder. @throws the fault of a damaged one */
export async function verifiedHash(dataFolder: string): Promise<string> {
  return (await verifyWorld(storeAt(dataFolder))).stateHash;
}
