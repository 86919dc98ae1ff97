import * as z from 'zod/mini'

/** The role of an account: a participant is a `user`, an administrator an `admin`. */
export const Role = z.enum(['user', 'admin'])
export type Role = z.output<typeof Role>
