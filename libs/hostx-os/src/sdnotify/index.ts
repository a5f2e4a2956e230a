export { bind } from './bind.js';
export { unit } from './unit.js';
export { Notifier } from './notifier.js';
export type { BindOptions } from './bind.js';
export type { UnitConfig } from './unit.js';
export type { NotifySocket } from './notify-socket.js';
