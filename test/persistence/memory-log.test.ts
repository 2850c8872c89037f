// The log in memory keeps the contract of every log.
import t from 'tap';
import { MemoryLog } from '../../persistence/log/memory-log.js';
import { testLogContract } from './log-contract.js';

await testLogContract(t, async () => new MemoryLog());
