export { bindSystemd } from './bind-systemd.js';
export { systemdUnit } from './systemd-unit.js';
export { Notifier } from './notifier.js';
export type { BindSystemdOptions } from './bind-systemd.js';
export type { UnitConfig } from './systemd-unit.js';
export type { UnitLimits } from './unit-limits.js';
export type { NotifySocket } from './patient-socket.js';
