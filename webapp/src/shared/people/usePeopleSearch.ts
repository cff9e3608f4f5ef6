import { useDebouncedValue } from '@mantine/hooks';
import { errorText } from '@/api/base';
import { type Person, useSearchPeopleQuery } from '@/api/people';
import { selectUser } from '@/shared/session/sessionSlice';
import { useAppSelector } from '@/shared/storeHooks';

/** The pause in typing before a search, and the characters it needs. */
export const SEARCH_DEBOUNCE_MS = 300;
export const SEARCH_MIN = 2;

/** Search results for a text, and the message below the field. */
export function usePeopleSearch(input: string): { people: Person[]; hint: string } {
  const userId = useAppSelector(selectUser)?.userId ?? '';
  const text = input.trim();
  const [settled] = useDebouncedValue(text, SEARCH_DEBOUNCE_MS);
  const skip = text.length < SEARCH_MIN || settled.length < SEARCH_MIN;
  const { currentData, error, isFetching } = useSearchPeopleQuery({ text: settled, userId }, { skip });

  if (text === '') return { people: [], hint: 'Search by exact or partial username' };
  if (text.length < SEARCH_MIN) return { people: [], hint: 'Type at least 2 characters' };
  if (error !== undefined && settled === text) return { people: [], hint: errorText(error, 'Failed to search users') };
  if (isFetching || settled !== text || currentData === undefined) {
    return { people: currentData?.users ?? [], hint: 'Searching…' };
  }
  const people = currentData.users.filter((person) => person.userId !== userId);
  return { people, hint: people.length === 0 ? 'No users found' : '' };
}
