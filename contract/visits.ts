/**
 * Every page that is shown reports a {@link View} here, as JSON. Answers 204, even if nothing is counted. Not
 * part of the API: there is nothing to read here, and no call may depend on it.
 */
export const VISITS_PATH = '/visits'

/** Reported like the view of a page, once a visitor has opened all of the campaign's tasks. */
export const TASKS_DONE = 'tasks-done'

export type View = {
  /** The page's path, or {@link TASKS_DONE}. */
  page: string
  /** Only with the first view of a visit: the host that led here, or `invitation` or `direct`. */
  arrival?: string
}

export const INVITATION = 'invitation'
export const DIRECT = 'direct'
/** Stands for all hosts beyond the most frequent ones of a day. */
export const OTHER_HOSTS = 'other'
