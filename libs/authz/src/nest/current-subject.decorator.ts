import { createParamDecorator } from '@nestjs/common';
import type { Subject } from '../subject/subject.js';
import { admissionIn } from './admissions.js';

/**
 * Injects the {@link Subject} who calls: into handlers of HTTP, gRPC, messages, WebSockets and GraphQL. Null for
 * an anonymous caller, and where callers need not identify themselves (a public or unannotated method).
 */
export const CurrentSubject = createParamDecorator(
  (_: unknown, context): Subject | null => admissionIn(context)?.subject ?? null,
);
