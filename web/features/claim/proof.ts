import { Proof } from '#contract/claims/proof.ts'

/** The fields of a proof, in the order of the form. */
export const PROOF_FIELDS = Object.keys(Proof.shape) as (keyof Proof)[]

export const EMPTY_PROOF = proofBy(() => '')

/** Takes the proof's fields from an object that may have more. */
export const proofOf = (object: Proof): Proof => proofBy((name) => object[name])

/** A proof whose fields have the values that `valueOf` returns. */
export function proofBy(valueOf: (name: keyof Proof) => string): Proof {
  return Object.fromEntries(PROOF_FIELDS.map((name) => [name, valueOf(name)])) as Proof
}
