import type { ReactNode } from 'react';
import { isApiError } from '@/api/base';
import { failureText } from '@/shared/account/failure';

/** What the server finds wrong with which field. */
export function fieldErrorsOf(error: unknown): Record<string, string> {
  return isApiError(error) ? (error.fieldErrors ?? {}) : {};
}

/** All that is wrong with a form, for its error box; null if nothing is. */
export function inWords(errors: Record<string, ReactNode>): string | null {
  return [...new Set(Object.values(errors))].join(' ') || null;
}

/** Why a form was refused: field by field if the server says so, else its one sentence, else ours. */
export function formFailure(error: unknown, otherwise: string): string {
  return inWords(fieldErrorsOf(error)) ?? failureText(error, otherwise);
}
