//! What can still be said of a descriptor whose number meant different things before and after a moment.

use std::mem::discriminant;

use model::recording::Object;

/// Stands for the path of a file that was closed, or whose process ended, before anybody looked.
pub(crate) const CLOSED: &str = "(a file that was not named in time)";

/// What is true of both.
pub(super) fn both(one: &Object, other: &Object) -> Option<Object> {
    if one == other {
        return Some(one.clone());
    }
    match (one, other) {
        (
            Object::Socket { family, peer, local_peer, .. },
            Object::Socket { family: of, peer: with, local_peer: within, .. },
        ) if family == of => Some(Object::Socket {
            family: family.clone(),
            peer: peer.clone().filter(|peer| with.as_ref() == Some(peer)),
            local_peer: local_peer.filter(|local| *within == Some(*local)),
            inode: 0,
        }),
        _ if discriminant(one) == discriminant(other) => kind(one),
        _ => None,
    }
}

/// Its kind without its name. `None` where the kind alone says nothing.
pub(super) fn kind(object: &Object) -> Option<Object> {
    let path = || CLOSED.to_owned();
    Some(match object {
        Object::File { .. } => Object::File { path: path() },
        Object::Directory { .. } => Object::Directory { path: path() },
        Object::Device { .. } => Object::Device { path: path() },
        Object::Socket { family, .. } => {
            Object::Socket { family: family.clone(), peer: None, local_peer: None, inode: 0 }
        }
        Object::Pipe { .. } => Object::Pipe { inode: 0 },
        _ => return None,
    })
}

/// The kind of a file whose number means nothing any more. Of all else a child may have had it.
pub(super) fn file(object: &Object) -> Option<Object> {
    matches!(object, Object::File { .. } | Object::Directory { .. }).then(|| kind(object)).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_differs_is_not_said() {
        let file = |path: &str| Object::File { path: path.to_owned() };
        let socket = |peer: &str, inode| Object::Socket {
            family: "tcp".to_owned(),
            peer: Some(peer.to_owned()),
            local_peer: Some(1),
            inode,
        };
        assert_eq!(both(&file("/a"), &file("/b")), Some(file(CLOSED)));
        assert_eq!(both(&socket("h:1", 5), &socket("h:1", 6)), Some(socket("h:1", 0)));
        let Some(Object::Socket { peer: None, local_peer: Some(1), .. }) =
            both(&socket("h:1", 5), &socket("h:2", 6))
        else {
            panic!("one of two peers was named");
        };
        assert_eq!(both(&file("/a"), &socket("h:1", 5)), None);
        assert_eq!(super::file(&socket("h:1", 5)), None);
    }
}
