export { DrainDelay } from '../drain-delay.js';
export { claimSocket } from '../http/listen.js';
export type { ActivatedSocket } from '../http/listen.js';
export { figuresOfProcesses, sharedSocket } from '../processes/parent-link.js';
export type { FiguresReader } from '../processes/parent-link.js';
export type { WantedSocket } from '../processes/process-channel.js';
export { HOST_TRANSITIONS, SERVICE_TRANSITIONS } from '../state/transitions.js';
export type { HostEvent, ServiceEvent, Transitions } from '../state/transitions.js';
