// A separate process that takes a lock, reports it, and holds it until it is ended.
import { acquireInstanceLock } from './acquire-instance-lock.js';

acquireInstanceLock(process.argv[2]!);
console.log('held');
setInterval(() => {}, 1_000_000);
