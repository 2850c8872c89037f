// The store in memory keeps the contract of every store of snapshots.
import t from 'tap';
import { MemorySnapshots } from '../../support/stores/memory-snapshots.js';
import { testSnapshotStoreContract } from './snapshot-store-contract.js';

await testSnapshotStoreContract(t, async () => new MemorySnapshots());
