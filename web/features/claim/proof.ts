import { Proof } from '#contract/claims/proof.ts'

/** The fields of the proof, in the order of the form. */
export const PROOF_FIELDS = Object.keys(Proof.shape) as (keyof Proof)[]

export const EMPTY_PROOF = proofBy(() => '')

/** Picks the fields of the proof from an object that has more. */
export const proofOf = (object: Proof): Proof => proofBy((name) => object[name])

function proofBy(valueOf: (name: keyof Proof) => string): Proof {
  return Object.fromEntries(PROOF_FIELDS.map((name) => [name, valueOf(name)])) as Proof
}
