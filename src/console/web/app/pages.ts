import type { ComponentType } from 'preact';
import type { IconName } from '../parts/icon.js';
import { isOperator, may } from '../data/session.js';

type Load = () => Promise<{ default: ComponentType }>;

/** A page, by the first part of its path; its script is loaded when it is opened. */
export interface Place {
  name:
    'today' | 'inbox' | 'pipeline' | 'contacts' | 'companies' | 'tasks' | 'audit' | 'events' | 'operations';
  icon: IconName;
  load: Load;
}

const PLACES: Place[] = [
  { name: 'today', icon: 'today', load: () => import('../today/today.js') },
  { name: 'inbox', icon: 'inbox', load: () => import('../inbox/inbox.js') },
  { name: 'pipeline', icon: 'pipeline', load: () => import('../pipeline/pipeline.js') },
  { name: 'contacts', icon: 'person', load: () => import('../contacts/contacts.js') },
  { name: 'companies', icon: 'company', load: () => import('../companies/companies.js') },
  { name: 'tasks', icon: 'task', load: () => import('../tasks/tasks.js') },
  { name: 'audit', icon: 'audit', load: () => import('../audit/audit.js') },
  { name: 'events', icon: 'events', load: () => import('../events/events.js') },
  { name: 'operations', icon: 'operations', load: () => import('../operations/operations.js') },
];

/** What is not about the records of one organization. */
const OF_OPERATORS: Place['name'][] = ['operations', 'audit'];

/** The pages that whoever is signed in may open, in the order of the column. */
export function placesHere(): Place[] {
  if (isOperator()) return OF_OPERATORS.flatMap((name) => PLACES.find((place) => place.name === name)!);
  return may('read') ? PLACES : [];
}

/** The page of a path; the first one for an address that names none. */
export const placeOf = (path: string[]): Place | undefined => {
  const places = placesHere();
  return path.length === 0 ? places[0] : places.find(({ name }) => name === path[0]);
};
