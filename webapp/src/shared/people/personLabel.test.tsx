import { render, screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { PersonLabel } from './PersonLabel';
import { initialsOf, inkOf } from './initials';

describe('the label of a person', () => {
  it('has the picture and the display name', () => {
    const person = { username: 'ada', displayName: 'Ada Lovelace', profileUrl: '/api/backend/profile/image/a/64?v=1' };
    const { container } = render(<PersonLabel person={person} />);
    expect(screen.getByText('Ada Lovelace')).toBeInTheDocument();
    expect(container.querySelector('img')).toHaveAttribute('src', person.profileUrl);
  });

  it('says of a bot that it is one, and of nobody else', () => {
    const { rerender } = render(<PersonLabel person={{ username: 'minimax', isBot: true }} />);
    expect(screen.getByText('bot')).toHaveAttribute('title', 'A program plays on this account');
    rerender(<PersonLabel person={{ username: 'ada', isBot: false }} />);
    expect(screen.queryByText('bot')).not.toBeInTheDocument();
  });

  it.each([
    [{ username: 'ada', displayName: 'Ada Lovelace' }, 'AL'],
    [{ username: 'bob_the-builder', displayName: '' }, 'BB'],
    [{ username: 'grace', displayName: undefined }, 'G'],
    [{ username: '..', displayName: '' }, '?'],
  ])('of %j has the initials %s when there is no picture', (person, initials) => {
    const { container } = render(<PersonLabel person={person} />);
    const drawn = [...container.querySelectorAll('[data-initial]')].map((each) => each.getAttribute('data-initial'));
    expect(drawn.join('')).toBe(initials);
    expect(container).toHaveTextContent(person.displayName || person.username);
  });

  it('always has the same colour', () => {
    expect(inkOf('grace')).toBe(inkOf('grace'));
    expect(new Set(['ada', 'bob', 'carl', 'dora', 'eve'].map(inkOf))).toEqual(new Set(['x', 'o']));
    expect(initialsOf('Ann of the Hill')).toEqual(['A', 'H']);
  });
});
