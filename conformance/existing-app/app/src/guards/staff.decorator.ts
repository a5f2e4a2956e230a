import { SetMetadata } from '@nestjs/common';

/** Handlers that only staff may call. */
export const Staff = () => SetMetadata('staff', true);
