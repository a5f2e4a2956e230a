// A process of its own that takes a lock, says so, and holds it until it is ended.
import { acquire } from './acquire.js';

acquire(process.argv[2]!);
console.log('held');
setInterval(() => {}, 1_000_000);
