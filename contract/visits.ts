/**
 * Receives what pages report when they are shown: a {@link View} as JSON. Answers 204, even where nothing is
 * counted. Not part of the API: there is nothing to read here, and no call may depend on it.
 */
export const VISITS_PATH = '/visits'

/** Counted like the view of a page, once all of the campaign's tasks have been opened. */
export const TASKS_DONE = 'tasks-done'

export type View = {
  /** Its path, or {@link TASKS_DONE}. */
  page: string
  /** Only with the first view of a visit: the host that led here, or `invitation` or `direct`. */
  arrival?: string
}

export const INVITATION = 'invitation'
export const DIRECT = 'direct'
/** Stands for all hosts beyond the most frequent ones of a day. */
export const OTHER_HOSTS = 'other'
