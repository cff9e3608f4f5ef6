import type { ReactNode } from 'react';
import { isApiError } from '@/api/base';
import { failureText } from '@/shared/account/failure';

/** The server's errors by field. */
export function fieldErrorsOf(error: unknown): Record<string, string> {
  return isApiError(error) ? (error.fieldErrors ?? {}) : {};
}

/** All errors of a form in one text, for its error box; null if there is none. */
export function inWords(errors: Record<string, ReactNode>): string | null {
  return [...new Set(Object.values(errors))].join(' ') || null;
}

/** Why a form was refused: the server's errors by field, else its message, else a default. */
export function formFailure(error: unknown, otherwise: string): string {
  return inWords(fieldErrorsOf(error)) ?? failureText(error, otherwise);
}
