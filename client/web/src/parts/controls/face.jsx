/** The face of a person: an animal or an object on a disc of some colour. It is decoration, because the name is beside it. */
import { DRAWN } from '../../model/faces.js'
import { COLOURS, PICTURES } from '../../protocol/constants.js'
import { useDerived, useSite } from '../hooks.js'
import './controls.css'

/** @param {{face: number | undefined}} props */
export const Face = ({ face }) =>
  face === undefined ? null : (
    <i
      class="face"
      aria-hidden="true"
      data-face={DRAWN[face % PICTURES]}
      style={{ '--hue': Math.floor(face / PICTURES) * (360 / COLOURS) }}
    />
  )

/** The faces of those in a room. @param {{faces: number[]}} props */
export const Faces = ({ faces }) => (
  <span class="faces">
    {faces.map((face, at) => (
      <Face key={at} face={face} />
    ))}
  </span>
)

/** The face of a seat in the room. @param {{seat: number}} props */
export function FaceOf({ seat }) {
  const { session, route } = useSite()
  // A replay may be one of another room.
  const face = useDerived(() => {
    const { value: view } = session.view
    return route.place.value.replay && route.code.value !== view?.code ? undefined : view?.faces?.[seat]
  }, [session, seat])
  return <Face face={face} />
}

/** A name with its face. @param {{seat: number, name: string, class?: string}} props */
export const Name = ({ seat, name, ...props }) => (
  <bdi {...props}>
    <FaceOf seat={seat} />
    {name}
  </bdi>
)

/** Systems without pictures in colour (the youngest one is looked at) get a font with our pictures. @param {Document} document */
export function lookForPictures(document) {
  const context = document.createElement('canvas').getContext('2d')
  if (!context) return
  context.fillText('🦦', 0, 16)
  const { data } = context.getImageData(0, 0, 20, 20)
  const hasColour = data.some((value, at) => at % 4 === 0 && value !== data[at + 2])
  if (!hasColour) document.documentElement.dataset.faces = 'ours'
}
